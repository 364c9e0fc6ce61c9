import { renderEmail } from "./email-template.ts";
import type { Email } from "./send-email.ts";

export function recoveryEmail(siteName: string, to: string, link: string, needsSameBrowser: boolean): Email {
  const browserHint = needsSameBrowser ? ", in the same browser" : "";
  return renderEmail(siteName, to, {
    subject: `Set a new password for ${siteName}`,
    paragraphs: [
      `We received a request to set a new password for your account at ${siteName}.`,
      `If you made this request, open this link within an hour${browserHint}:`,
    ],
    link: { label: "Set a new password", address: link },
    closing: "If you didn't, ignore this email. Your password stays the same.",
  });
}

/** Sent instead of a recovery link to members who have no password, because they sign in at a provider. */
export function noPasswordEmail(siteName: string, to: string, provider: string, signInPage: string): Email {
  return renderEmail(siteName, to, {
    subject: `How to sign in to ${siteName}`,
    paragraphs: [
      `We received a request to set a new password for your account at ${siteName}.`,
      `Your account has no password and needs none. Open the sign-in page and choose “Sign in with ${provider}”:`,
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "If you didn't make this request, ignore this email.",
  });
}

/** Sent instead of an invitation link if members can sign in only at a provider. */
export function providerInvitationEmail(
  siteName: string,
  to: string,
  provider: string,
  signInPage: string,
): Email {
  return renderEmail(siteName, to, {
    subject: `Your invitation to ${siteName}`,
    paragraphs: [
      `You have been invited to ${siteName}, where tech professionals present their work and share what they know.`,
      `Open the sign-in page and choose “Sign in with ${provider}”:`,
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "If you don't want to join, ignore this email.",
  });
}

export function invitationEmail(siteName: string, to: string, link: string): Email {
  return renderEmail(siteName, to, {
    subject: `Your invitation to ${siteName}`,
    paragraphs: [
      `You have been invited to ${siteName}, where tech professionals present their work and share what they know.`,
      "Open this link to choose your password and sign in. It works once and expires after a week:",
    ],
    link: { label: "Accept the invitation", address: link },
    closing: "If you don't want to join, ignore this email.",
  });
}

export function passwordChangedEmail(siteName: string, to: string, signInPage: string): Email {
  return renderEmail(siteName, to, {
    subject: `Your password for ${siteName} was changed`,
    paragraphs: [
      `The password for your account at ${siteName} was changed, and all other sessions were signed out.`,
      "If you changed it, you don't need to do anything. If you didn't, choose a new password now:",
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "On that page, “Forgot your password?” sends you a link.",
  });
}

export function passwordSetEmail(siteName: string, to: string, signInPage: string): Email {
  return renderEmail(siteName, to, {
    subject: `Your password for ${siteName} was changed`,
    paragraphs: [
      `An operator of ${siteName} set a new password for your account, and all sessions were signed out.`,
      "If you asked for it, sign in with the new password, and choose your own on your profile:",
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing:
      "If you didn't ask for it, “Forgot your password?” on that page sends you a link to choose another one.",
  });
}

export function passkeyAddedEmail(siteName: string, to: string, name: string, profilePage: string): Email {
  return renderEmail(siteName, to, {
    subject: `A passkey was added to your account at ${siteName}`,
    paragraphs: [
      `The passkey “${name}” was added to your account at ${siteName}. It signs you in without your password.`,
      "If you added it, you don't need to do anything. If you didn't, delete it now and choose a new password:",
    ],
    link: { label: "Open your profile", address: profilePage },
    closing: "A new password alone doesn't remove a passkey.",
  });
}

export function passkeyRemovedEmail(siteName: string, to: string, name: string, profilePage: string): Email {
  return renderEmail(siteName, to, {
    subject: `A passkey was removed from your account at ${siteName}`,
    paragraphs: [
      `The passkey “${name}” can no longer sign in to your account at ${siteName}.`,
      "If you or an operator removed it, you don't need to do anything. If not, choose a new password now:",
    ],
    link: { label: "Open your profile", address: profilePage },
    closing: "Your device may still show the passkey. You can delete it there.",
  });
}
