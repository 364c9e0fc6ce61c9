import { useCallback, useEffect, useState } from "react";
import type { DataClient } from "../../common/data/client.ts";
import { deleteRow } from "../../common/data/content-writes.ts";
import { addSkill, readSkills, updateSkill } from "../../common/data/profile.ts";
import type { Skill } from "../../common/data/schema.ts";
import {
  DeletionNotice,
  preloadNotice,
  restoringRow,
  useDeletions,
  useReloadAfterUndo,
} from "../history/deletion-context.tsx";
import { useRead } from "../operation/use-read.ts";
import { UnsavedChanges } from "../router/unsaved-changes.tsx";
import { memberData } from "../session/member-data.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { mayMoveFocus } from "../ui/focus.ts";
import { Panel } from "../ui/panel.tsx";
import { Unread } from "../ui/unread.tsx";
import { NEW_SKILL, SkillForm, UNNAMED_SKILL } from "./skill-form.tsx";
import { SkillItem } from "./skill-item.tsx";

const SKILLS = { table: "skills", ownerColumn: "profile_id" };

export function SkillsSection({ userId }: { userId: string }) {
  const {
    value: skills = [],
    isUnread,
    reload,
    change,
  } = useRead<Skill[]>(async () => readSkills(await memberData(), userId), userId);
  const { show } = useDeletions();
  const [typedForms, setTypedForms] = useState(0);
  const countTyped = useCallback((change: number) => setTypedForms((count) => count + change), []);
  useEffect(preloadNotice, []);
  useReloadAfterUndo("skills", reload);

  async function write(send: (client: DataClient) => Promise<void>): Promise<void> {
    await send(await memberData());
    await reload();
  }

  async function remove({ id, name }: Skill): Promise<boolean> {
    const client = await memberData();
    const row = await deleteRow(client, "skills", id);
    const takesFocus = mayMoveFocus(document.getElementById(id));
    // Show the notice before the read, which may be slow: without the notice, the row is lost.
    if (row)
      show({
        title: name.trim() || UNNAMED_SKILL,
        id,
        takesFocus,
        place: "skills",
        restore: restoringRow(client, SKILLS, row),
      });
    else announce(`Deleted "${name.trim() || UNNAMED_SKILL}".`);
    change((known) => known.filter((skill) => skill.id !== id));
    void reload();
    return row !== null;
  }

  return (
    <Panel title="Skills" anchor="skills">
      {isUnread && <Unread />}
      <SkillForm
        legend="New skill"
        skill={NEW_SKILL}
        isRepeated
        onTyped={countTyped}
        store={(skill, id) => write((client) => addSkill(client, userId, { id, ...skill }))}
        onStored={({ name }) => announce(`Added ${name.trim() || UNNAMED_SKILL}`)}
      >
        <Button type="submit">Add Skill</Button>
      </SkillForm>
      {typedForms > 0 && <UnsavedChanges isDirty />}
      <DeletionNotice place="skills" />
      {skills.length > 0 && (
        <ul aria-label="Your skills" className="mt-6 border-t border-rule">
          {skills.map((skill) => (
            <SkillItem
              key={skill.id}
              skill={skill}
              onTyped={countTyped}
              onSave={(changed) => write((client) => updateSkill(client, skill.id, changed))}
              onDelete={() => remove(skill)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
