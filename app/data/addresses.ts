export const itemPath = ({ path }: { path: string }, id: string) => `${path}/${id}`;

/** `segment` is a username that is an address, or the person's id, from which `/profile/{id}` leads on. */
export const personPath = (segment: string) => `/profile/${segment}`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SAFE_SEGMENT = /^[A-Za-z0-9_.-]+$/;
/** React Router serves data at `.data`, and this site other formats; browsers remove `.` and `..` from every path. */
const RESERVED = /^\.\.?$|\.(data|xml|json|vcf|md)$/i;
const LONGEST_SEGMENT = 200;

export const isUuid = (text: string) => UUID.test(text);

/** Whether a username can be its owner's address (contract); whether it is also depends on who else bears it. */
export function isSegment(username: string | null | undefined): username is string {
  return (
    !!username &&
    username.length <= LONGEST_SEGMENT &&
    SAFE_SEGMENT.test(username) &&
    !RESERVED.test(username) &&
    !isUuid(username)
  );
}
