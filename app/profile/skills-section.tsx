import { useCallback, useEffect, useRef, useState } from "react";
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
import { memberData } from "../session/member-data.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { mayMoveFocus } from "../ui/focus.ts";
import { Panel } from "../ui/panel.tsx";
import { NEW_SKILL, SkillForm } from "./skill-form.tsx";
import { SkillItem } from "./skill-item.tsx";

const SKILLS = { table: "skills", ownerColumn: "profile_id" };

export function SkillsSection({ userId }: { userId: string }) {
  const [skills, setSkills] = useState<Skill[]>([]);
  const newestRead = useRef(0);
  const { show } = useDeletions();
  useEffect(preloadNotice, []);

  const reload = useCallback(async () => {
    const read = ++newestRead.current;
    const data = await memberData();
    const stored = await readSkills(data, userId).catch(() => null);
    // The result of a slow earlier read must not replace the result of a newer one.
    if (stored && read === newestRead.current) setSkills(stored);
  }, [userId]);

  useReloadAfterUndo("skills", reload);
  useEffect(() => void reload().catch(() => undefined), [reload]);

  async function change(write: (data: DataClient) => Promise<void>): Promise<void> {
    await write(await memberData());
    await reload();
  }

  async function remove({ id, name }: Skill): Promise<boolean> {
    const data = await memberData();
    const row = await deleteRow(data, "skills", id);
    const takesFocus = mayMoveFocus(document.getElementById(id));
    await reload();
    if (!row) {
      announce(`Deleted "${name}".`);
      return false;
    }
    show({
      title: name,
      id,
      takesFocus,
      place: "skills",
      restore: restoringRow(data, SKILLS, row),
    });
    return true;
  }

  return (
    <Panel title="Skills" anchor="skills">
      <SkillForm
        legend="New skill"
        skill={NEW_SKILL}
        isRepeated
        store={(skill, id) => change((data) => addSkill(data, userId, { id, ...skill }))}
        onStored={({ name }) => announce(`Added ${name}`)}
      >
        <Button type="submit">Add Skill</Button>
      </SkillForm>
      <DeletionNotice place="skills" />
      {skills.length > 0 && (
        <ul aria-label="Your skills" className="mt-6 border-t border-rule">
          {skills.map((skill) => (
            <SkillItem
              key={skill.id}
              skill={skill}
              onSave={(changed) => change((data) => updateSkill(data, skill.id, changed))}
              onDelete={() => remove(skill)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
