import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { NEW_SKILL, SkillForm } from "./skill-form.tsx";
import { SkillItem } from "./skill-item.tsx";
import { useSkills } from "./use-skills.ts";

export function SkillsSection({ userId }: { userId: string }) {
  const { skills, add, update, remove } = useSkills(userId);
  return (
    <Panel title="Skills">
      <SkillForm
        legend="New skill"
        skill={NEW_SKILL}
        store={add}
        onStored={() => announce("The skill is added.")}
      >
        <Button type="submit">Add Skill</Button>
      </SkillForm>
      {skills.length > 0 && (
        <ul aria-label="Your skills" className="mt-6 border-t border-rule">
          {skills.map((skill) => (
            <SkillItem
              key={skill.id}
              skill={skill}
              onSave={(changed) => update(skill.id, changed)}
              onDelete={() => remove(skill.id)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
