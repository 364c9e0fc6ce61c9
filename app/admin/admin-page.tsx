import { lazy, useCallback, useEffect, useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { Site } from "../../common/page-services.ts";
import { ErrorText } from "../document/error-page.tsx";
import { useSession } from "../session/session.ts";
import { SignInForm } from "../sign-in/sign-in-form.tsx";
import { Button } from "../ui/button.tsx";
import { LoadBoundary } from "../ui/load-boundary.tsx";
import { AdminError, callAdmin, messageOf } from "./admin-api.ts";

// Only operators load these scripts.
const OperatorPage = lazy(() => import("./operator-page.tsx"));

/** Visitors see the sign-in form. Members who aren't operators see the text of the not-found page (contract). */
export function AdminPage() {
  const session = useSession();
  return session.status === "in" ? (
    <MembersView key={session.userId} />
  ) : (
    <>
      <div className="in-data-session:hidden">
        <SignInForm problem={session.status === "out" ? session.problem : undefined} />
      </div>
      <div className="hidden min-h-dvh in-data-session:block" />
    </>
  );
}

function MembersView() {
  const site = useRouteLoaderData("root") as Site | undefined;
  const [access, setAccess] = useState<"unknown" | "operator" | "none" | { problem: string }>("unknown");
  const check = useCallback(async () => {
    setAccess("unknown");
    try {
      await callAdmin("/session");
      setAccess("operator");
    } catch (error) {
      const isRefused = error instanceof AdminError && error.code === "not_admin";
      setAccess(isRefused ? "none" : { problem: messageOf(error) });
    }
  }, []);
  useEffect(() => void check(), [check]);

  if (access === "unknown") return <div aria-busy="true" className="min-h-dvh" />;
  if (access === "none") return <ErrorText isUnknown site={site} />;
  if (access !== "operator") {
    return (
      <div role="alert" className="min-h-dvh space-y-4">
        <p>{access.problem}</p>
        <Button onClick={() => void check()}>Try Again</Button>
      </div>
    );
  }
  return (
    <div className="min-h-dvh">
      <h1 className="mb-12 font-display text-title font-bold tracking-tight">Operators</h1>
      <LoadBoundary>
        <OperatorPage />
      </LoadBoundary>
    </div>
  );
}
