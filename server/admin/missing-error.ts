import { OperatorError } from "../config/operator-error.ts";

/** Nothing has the name or ID that an operator gave. */
export class MissingError extends OperatorError {
  override readonly name = "MissingError";
  /** The message for the operators' page, where a command is no help. */
  readonly problem: string;

  /**
   * @param problem a sentence without its full stop
   * @param advice the command that helps, such as "npm run member -- list shows all members."
   */
  constructor(problem: string, advice: string) {
    super(`${problem}: ${advice}`);
    this.problem = `${problem}.`;
  }
}
