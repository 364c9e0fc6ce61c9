import { SignInForm } from "./sign-in-form.tsx";

/** Specification §2, Profile. */
export function ProfilePage() {
  return <SignInForm />;
}
