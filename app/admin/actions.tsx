import { createContext, type ReactNode, useContext } from "react";
import { SignInAgain } from "../sign-in/sign-in-again.tsx";
import { useSignInAgain } from "../sign-in/use-sign-in-again.ts";
import { AdminError, callAdmin } from "./admin-api.ts";

interface Actions {
  /**
   * Sends an action. If the operator's sign-in is too old, asks them to sign in again, and then repeats the action.
   * Throws AdminError, with the code `cancelled` if the operator doesn't sign in.
   */
  send<Result>(path: string, body: object): Promise<Result>;
}

const ActionsContext = createContext<Actions | null>(null);

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("useActions needs an ActionsProvider");
  return actions;
}

interface ActionsProviderProps {
  /** Whether operators must sign in with a passkey. */
  needsPasskey: boolean;
  /** Called after an action, with its path. */
  onDone(path: string): void;
  children: ReactNode;
}

export function ActionsProvider({ needsPasskey, onDone, children }: ActionsProviderProps) {
  const { isAsking, ask, answer } = useSignInAgain();

  async function send<Result>(path: string, body: object): Promise<Result> {
    try {
      return await callAdmin<Result>(path, body);
    } catch (error) {
      if (!(error instanceof AdminError) || error.code !== "reauthentication_needed") throw error;
      if (await ask()) return await callAdmin<Result>(path, body);
      throw new AdminError("cancelled", "Nothing was changed, because you did not sign in again.");
    } finally {
      onDone(path);
    }
  }

  return (
    <ActionsContext value={{ send }}>
      {children}
      {isAsking && (
        <SignInAgain
          text="Your last sign-in was more than an hour ago. Sign in again to make changes."
          hasPasskeys
          needsPasskey={needsPasskey}
          onAnswer={answer}
        />
      )}
    </ActionsContext>
  );
}
