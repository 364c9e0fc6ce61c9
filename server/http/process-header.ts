/** In responses of `/healthz`: an ID that every process creates for itself. The command `release` looks for it. */
export const PROCESS_HEADER = "X-Techfolio-Process";
