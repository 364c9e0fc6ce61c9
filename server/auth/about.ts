import type { Context } from "hono";
import type { AuthEnv } from "./guards.ts";

/** `GET /health`: this part of the server answers. */
export function health(c: Context<AuthEnv>): Response {
  return c.json({ name: "Techfolio", description: "Sign-in in the protocol of Supabase's auth service" });
}

/** `GET /settings`: what is open here: signing in by e-mail, nothing else (GoTrue, internal/api/settings.go). */
export function describeSettings(c: Context<AuthEnv>): Response {
  return c.json({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: true,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
  });
}

/**
 * `GET /.well-known/jwks.json`: no keys, because tokens are signed with a shared secret. `getClaims` then asks
 * this server about a token instead of checking it itself.
 */
export function keySet(c: Context<AuthEnv>): Response {
  c.header("Cache-Control", "public, max-age=600");
  return c.json({ keys: [] });
}
