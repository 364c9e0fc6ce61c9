export interface Device {
  address: string | undefined;
  userAgent: string | undefined;
}

export function deviceValues({ address, userAgent }: Device): [string | null, string | null] {
  return [userAgent?.slice(0, 500) ?? null, address ?? null];
}
