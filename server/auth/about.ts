import type { AuthHandler } from "./auth-env.ts";

export const health: AuthHandler = (c) =>
  c.json({ name: "Techfolio", description: "Sign-in in the protocol of Supabase's auth service" });

/** Sign-in by e-mail is all that is open (GoTrue, internal/api/settings.go). */
export const describeSettings: AuthHandler = (c) =>
  c.json({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: true,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
  });
