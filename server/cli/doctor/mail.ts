import { openTransport } from "../../auth/mail.ts";
import type { Settings } from "../../config/settings.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Takes the settings, returns whether the mail server can be reached and takes the login. Sends nothing. */
export async function checkMail({ smtp }: Settings): Promise<Finding> {
  if (smtp === undefined)
    return ok("mail", "Without SMTP_HOST mails go to the log of the site, links included.");
  const transport = openTransport(smtp);
  const place = `${smtp.host}:${smtp.port}`;
  try {
    await transport.verify();
    return ok(
      "mail",
      `The mail server ${place} answers${smtp.user === undefined ? "" : " and takes the login"}.`,
    );
  } catch (error) {
    const { code, message } =
      error instanceof Error
        ? { code: "", ...error, message: error.message }
        : { code: "", message: String(error) };
    const settings =
      code === "EAUTH" ? "SMTP_USER and SMTP_PASSWORD" : "SMTP_HOST, SMTP_PORT, SMTP_SECURE and the firewall";
    return problem(
      "mail",
      `The mail server ${place} cannot be used (${message.split("\n")[0]}): look at ${settings}.`,
    );
  } finally {
    transport.close();
  }
}
