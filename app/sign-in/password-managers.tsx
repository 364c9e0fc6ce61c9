/** The rules of the built-in backend, which are those of a new Supabase project. */
export function PasswordHelp({ id }: { id: string }) {
  return (
    <p id={id} className="mt-1 text-sm text-muted">
      At least {MIN_CHARACTERS} characters
    </p>
  );
}

const MIN_CHARACTERS = 6;
/** A limit of bcrypt. */
const MAX_BYTES = 72;

/**
 * Returns why the server would reject a new password, or null. A link is used up before the server sees the password, so
 * the form checks it first.
 */
export function passwordProblem(password: string): string | null {
  const normalized = password.normalize("NFC");
  if ([...normalized].length < MIN_CHARACTERS)
    return `Password should be at least ${MIN_CHARACTERS} characters.`;
  return new TextEncoder().encode(normalized).length > MAX_BYTES
    ? `Password cannot be longer than ${MAX_BYTES} bytes`
    : null;
}

/** Describes the passwords that the server accepts, in the format of developer.apple.com/password-rules. */
export const PASSWORD_RULES = { passwordrules: `minlength: ${MIN_CHARACTERS};` };

/** Tells password managers which account a new password belongs to. Members don't see it. */
export function UsernameForManagers({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
