import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";

/** The sign-in form (specification §2, Profile). `post` keeps a password out of the address, whatever happens. */
export function SignInForm() {
  return (
    <div className="mx-auto max-w-md rounded-lg border border-line bg-surface p-6 sm:p-8">
      <h1 className="font-display text-3xl font-bold tracking-tight">Sign in to your account</h1>
      <form method="post" className="mt-6 space-y-4">
        <TextField label="Email address" type="email" name="email" required autoComplete="username" />
        <TextField
          label="Password"
          type="password"
          name="password"
          required
          autoComplete="current-password"
        />
        <Button type="submit" look="primary" className="w-full">
          Sign in
        </Button>
      </form>
    </div>
  );
}
