/** The rules of the built-in backend, which are those of a new Supabase project. */
export function PasswordHelp({ id }: { id: string }) {
  return (
    <p id={id} className="mt-1 text-sm text-muted">
      At least 6 characters
    </p>
  );
}

/** Describes the passwords that the server accepts, in the format of developer.apple.com/password-rules. */
export const PASSWORD_RULES = { passwordrules: "minlength: 6;" };

/** Tells password managers which account a new password belongs to. Members don't see it. */
export function UsernameForManagers({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
