/** Where a session is used from. */
export interface Device {
  address: string | undefined;
  userAgent: string | undefined;
}

/** For the columns `user_agent` and `ip`. */
export function deviceValues({ address, userAgent }: Device): [string | null, string | null] {
  return [userAgent?.slice(0, 500) ?? null, address ?? null];
}
