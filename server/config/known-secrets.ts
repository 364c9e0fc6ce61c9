/** Secrets from Supabase's CLI, the .env.example of its self-hosting guide, and PostgREST's tutorial. */
export const KNOWN_SECRETS: ReadonlySet<string> = new Set([
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-and-long-postgres-password",
  "your-super-secret-and-long-logflare-key",
  "your-super-secret-and-long-logflare-key-public",
  "your-super-secret-and-long-logflare-key-private",
  "this_password_is_insecure_and_should_be_updated",
  "your-encryption-key-32-chars-min",
  "your-32-character-encryption-key",
  "UpNVntn3cDxHJpq99YMc1T1AQgQpc8kfYTuRgBiYa15BLrx8etQoXz3gZv1/u2oq",
  "reallyreallyreallyreallyverysafe",
]);
