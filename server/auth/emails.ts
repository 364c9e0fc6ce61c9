import { type EmailSite, renderEmail } from "./email-template.ts";
import type { Email } from "./send-email.ts";

export function recoveryEmail(site: EmailSite, to: string, link: string, needsSameBrowser: boolean): Email {
  const browserHint = needsSameBrowser ? ", in the same browser" : "";
  return renderEmail(site, to, {
    name: "recovery",
    subject: `Set a new password for ${site.siteName}`,
    paragraphs: [
      `We received a request to set a new password for your account at ${site.siteName}.`,
      `If you made this request, open this link within an hour${browserHint}:`,
    ],
    link: { label: "Set a new password", address: link },
    closing: "If you didn't, ignore this email. Your password stays the same.",
  });
}

/** Sent instead of a recovery link to members who have no password, because they sign in at a provider. */
export function noPasswordEmail(site: EmailSite, to: string, provider: string, signInPage: string): Email {
  return renderEmail(site, to, {
    subject: `How to sign in to ${site.siteName}`,
    paragraphs: [
      `We received a request to set a new password for your account at ${site.siteName}.`,
      `Your account has no password and needs none. Open the sign-in page and choose “Sign in with ${provider}”:`,
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "If you didn't make this request, ignore this email.",
  });
}

/** Sent instead of an invitation link if members can sign in only at a provider. */
export function providerInvitationEmail(
  site: EmailSite,
  to: string,
  provider: string,
  signInPage: string,
): Email {
  return renderEmail(site, to, {
    name: "invite",
    subject: `Your invitation to ${site.siteName}`,
    paragraphs: [
      `You have been invited to ${site.siteName}, where tech professionals present their work and share what they know.`,
      `Open the sign-in page and choose “Sign in with ${provider}”:`,
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "If you don't want to join, ignore this email.",
  });
}

export function invitationEmail(site: EmailSite, to: string, link: string): Email {
  return renderEmail(site, to, {
    name: "invite",
    subject: `Your invitation to ${site.siteName}`,
    paragraphs: [
      `You have been invited to ${site.siteName}, where tech professionals present their work and share what they know.`,
      "Open this link to choose your password and sign in. It works once and expires after a week:",
    ],
    link: { label: "Accept the invitation", address: link },
    closing: "If you don't want to join, ignore this email.",
  });
}

export function passwordChangedEmail(site: EmailSite, to: string, signInPage: string): Email {
  return renderEmail(site, to, {
    subject: `Your password for ${site.siteName} was changed`,
    paragraphs: [
      `The password for your account at ${site.siteName} was changed, and all other sessions were signed out.`,
      "If you changed it, you don't need to do anything. If you didn't, choose a new password now:",
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "On that page, “Forgot your password?” sends you a link.",
  });
}

export function passwordSetEmail(site: EmailSite, to: string, signInPage: string): Email {
  return renderEmail(site, to, {
    subject: `Your password for ${site.siteName} was changed`,
    paragraphs: [
      `An operator of ${site.siteName} set a new password for your account, and all sessions were signed out.`,
      "If you asked for it, sign in with the new password, and choose your own on your profile:",
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing:
      "If you didn't ask for it, “Forgot your password?” on that page sends you a link to choose another one.",
  });
}

export function passkeyAddedEmail(site: EmailSite, to: string, name: string, profilePage: string): Email {
  return renderEmail(site, to, {
    name: "passkey-added",
    subject: `A passkey was added to your account at ${site.siteName}`,
    paragraphs: [
      `The passkey “${name}” was added to your account at ${site.siteName}. It signs you in without your password.`,
      "If you added it, you don't need to do anything. If you didn't, delete it now and choose a new password:",
    ],
    link: { label: "Open your profile", address: profilePage },
    closing: "A new password alone doesn't remove a passkey.",
  });
}

export function passkeyRemovedEmail(site: EmailSite, to: string, name: string, profilePage: string): Email {
  return renderEmail(site, to, {
    name: "passkey-removed",
    subject: `A passkey was removed from your account at ${site.siteName}`,
    paragraphs: [
      `The passkey “${name}” can no longer sign in to your account at ${site.siteName}.`,
      "If you or an operator removed it, you don't need to do anything. If not, choose a new password now:",
    ],
    link: { label: "Open your profile", address: profilePage },
    closing: "Your device may still show the passkey. You can delete it there.",
  });
}

/** Sent to an address without an account that asked for an invitation on the page of an invitation link. */
export function joinEmail(site: EmailSite, to: string, link: string): Email {
  return renderEmail(site, to, {
    name: "join",
    subject: `Join ${site.siteName}`,
    paragraphs: [
      `Somebody entered your address to join ${site.siteName}, where tech professionals present their work and share what they know.`,
      "If it was you, open this link within 24 hours to choose your password and sign in. It works once:",
    ],
    link: { label: "Choose a password", address: link },
    closing: "If it wasn't you, ignore this email. No account is created.",
  });
}

/** Sent instead to an address that has an account. */
export function joinKnownEmail(site: EmailSite, to: string, signInPage: string): Email {
  return renderEmail(site, to, {
    name: "join-known",
    subject: `You are already a member of ${site.siteName}`,
    paragraphs: [
      `Somebody entered your address to join ${site.siteName}. This address already has an account.`,
      "If it was you, sign in:",
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "If it wasn't you, ignore this email. On that page, “Forgot your password?” sends you a link.",
  });
}

/** Tells an operator that visitors or members have reported something. */
export function reportsEmail(site: EmailSite, to: string, operatorsPage: string): Email {
  return renderEmail(site, to, {
    name: "reports",
    subject: `New reports at ${site.siteName}`,
    paragraphs: [
      `Readers of ${site.siteName} have reported items or people since the last email.`,
      "Open the operators' page to see the reports, and to act on them or dismiss them:",
    ],
    link: { label: "Open the reports", address: operatorsPage },
    closing: "Nothing was hidden automatically. You get at most one such email a day.",
  });
}
