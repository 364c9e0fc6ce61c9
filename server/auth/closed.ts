import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError } from "./auth-error.ts";

/** Contract, "Running it". The same for known and unknown addresses. */
export const refuseSignup: AuthHandler = () => {
  throw new GoTrueError(422, "signup_disabled", "Signups not allowed for this instance");
};

export const refuseUnknown: AuthHandler = () => {
  throw new GoTrueError(404, "feature_disabled", "This endpoint is not available");
};
