import type { FormEvent, ReactNode } from "react";
import { PROFILE_COLUMNS } from "../../common/data/profile-columns.ts";
import { areEqual } from "../drafts/draft-store.ts";
import { DraftNotice, DraftWarning, WaitingNotice } from "../drafts/form-notice.tsx";
import { useDraftedForm } from "../drafts/use-drafted-form.ts";
import { AvatarPicker } from "../pictures/avatar-picker.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox, fieldOf, TextArea, TextField } from "../ui/field.tsx";
import { Fieldset } from "../ui/fieldset.tsx";
import { Panel } from "../ui/panel.tsx";
import { Saving } from "../ui/saving.tsx";
import { submitOnCtrlEnter } from "../ui/text-editing.ts";
import { Unread } from "../ui/unread.tsx";
import { PortraitPreview } from "./portrait-preview.tsx";
import { EMPTY_PROFILE } from "./profile-fields.ts";
import { useProfile } from "./use-profile.ts";
import { UsernameField } from "./username-field.tsx";

interface ProfileFormProps {
  userId: string;
  /** Whether the member followed a link that asks for their name. */
  asksForName: boolean;
  onSaved(): void;
}

export function ProfileForm({ userId, asksForName, onSaved }: ProfileFormProps) {
  const form = useDraftedForm(userId, "profile", EMPTY_PROFILE);
  const { isSettled, save } = useProfile(userId, form, onSaved);
  const isSaving = form.status.is === "sending";
  const isEdited = form.base === null || !areEqual(form.base, form.values);

  const field = fieldOf(form.values, form.change, PROFILE_COLUMNS);

  function submit(event: FormEvent) {
    event.preventDefault();
    void save();
  }

  return (
    <Panel title="Profile Information" anchor="information">
      {!isSettled && <Unread />}
      {isSettled && (
        <div inert={isSaving} className="not-empty:mb-5">
          <DraftNotice form={form} titleOf={() => ""} onRestore={form.restoreOffered} />
        </div>
      )}
      {!form.isKept && <DraftWarning />}
      <form
        onSubmit={submit}
        onKeyDown={submitOnCtrlEnter}
        aria-busy={isSaving}
        data-unsaved={isEdited || undefined}
      >
        <Fieldset isBusy={isSaving} className="min-w-0">
          <legend className="sr-only">Your profile</legend>
          <FieldGroup name="About you">
            <UsernameField userId={userId} stored={form.base?.username ?? ""} {...field("username")} />
            <TextField
              label="Full Name"
              autoComplete="name"
              autoFocus={asksForName}
              {...field("full_name")}
            />
            <div className="sm:col-span-2">
              <TextArea label="Bio" rows={4} {...field("bio")} />
            </div>
          </FieldGroup>
          <FieldGroup name="Portrait">
            <div className="flex items-start gap-x-5 sm:col-span-2">
              <PortraitPreview
                name={form.values.full_name || form.values.username}
                address={form.values.avatar_url}
              />
              <div className="min-w-0 grow">
                <TextField label="Avatar URL" {...field("avatar_url")} type="text" inputMode="url" />
                <AvatarPicker form={form} onPicked={(address) => form.change({ avatar_url: address })} />
              </div>
            </div>
          </FieldGroup>
          <FieldGroup name="Work">
            <TextField label="Current Title" autoComplete="organization-title" {...field("current_title")} />
            <TextField label="Company" autoComplete="organization" {...field("company")} />
            <TextField
              label="Years of Experience"
              step="any"
              inputMode="numeric"
              {...field("years_experience")}
            />
            <TextField label="LinkedIn URL" {...field("linkedin_url")} />
          </FieldGroup>
          <FieldGroup name="Home page">
            <div className="sm:col-span-2">
              <TextField label="Featured Skills (comma-separated)" {...field("featured_skills")} />
            </div>
            <Checkbox label="Featured Professional" {...field("featured")} />
          </FieldGroup>
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary">
              Save Profile
            </Button>
            <Saving isSaving={isSaving} />
          </div>
          {form.status.is === "waiting" && <WaitingNotice />}
        </Fieldset>
      </form>
    </Panel>
  );
}

/** Fields that belong together. A rule separates the groups, and only screen readers announce their names. */
function FieldGroup({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-x-5 gap-y-4 pb-7 not-first-of-type:border-t not-first-of-type:border-rule not-first-of-type:pt-6 sm:grid-cols-2">
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  );
}
