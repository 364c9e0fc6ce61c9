import type { FormEvent } from "react";
import { PROFILE_COLUMNS } from "../../common/data/profile-columns.ts";
import { DraftNotice, DraftWarning } from "../drafts/form-notice.tsx";
import { useDraftedForm } from "../drafts/use-drafted-form.ts";
import { AvatarPicker } from "../pictures/avatar-picker.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox, fieldOf, TextArea, TextField } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { EMPTY_PROFILE } from "./profile-fields.ts";
import { useProfile } from "./use-profile.ts";
import { UsernameField } from "./username-field.tsx";

export function ProfileForm({ userId, onSaved }: { userId: string; onSaved(): void }) {
  const form = useDraftedForm(userId, "profile", EMPTY_PROFILE);
  const { isSettled, isSaving, save } = useProfile(userId, form, onSaved);

  const field = fieldOf(form.values, form.change, PROFILE_COLUMNS);

  function submit(event: FormEvent) {
    event.preventDefault();
    void save();
  }

  return (
    <Panel title="Profile Information">
      {isSettled && form.offered && (
        <div inert={isSaving} className="mb-5">
          <DraftNotice title="" onRestore={form.restoreOffered} onDiscard={form.discardOffered} />
        </div>
      )}
      {!form.isKept && <DraftWarning />}
      <form onSubmit={submit} aria-busy={isSaving}>
        <fieldset disabled={isSaving} className="grid min-w-0 gap-x-5 gap-y-4 sm:grid-cols-2">
          <legend className="sr-only">Your profile</legend>
          <UsernameField userId={userId} stored={form.base?.username ?? ""} {...field("username")} />
          <TextField label="Full Name" autoComplete="name" {...field("full_name")} />
          <div className="sm:col-span-2">
            <TextArea label="Bio" rows={4} {...field("bio")} />
          </div>
          <div className="sm:col-span-2">
            <TextField label="Avatar URL" {...field("avatar_url")} type="text" inputMode="url" />
            <AvatarPicker onPicked={(address) => form.change({ avatar_url: address })} />
          </div>
          <TextField label="Current Title" autoComplete="organization-title" {...field("current_title")} />
          <TextField label="Company" autoComplete="organization" {...field("company")} />
          <TextField
            label="Years of Experience"
            step="any"
            inputMode="numeric"
            {...field("years_experience")}
          />
          <TextField label="LinkedIn URL" {...field("linkedin_url")} />
          <div className="sm:col-span-2">
            <TextField label="Featured Skills (comma-separated)" {...field("featured_skills")} />
          </div>
          <Checkbox label="Featured Professional" {...field("featured")} />
          <div className="sm:col-span-2">
            <Button type="submit" variant="primary">
              Save Profile
            </Button>
          </div>
        </fieldset>
      </form>
    </Panel>
  );
}
