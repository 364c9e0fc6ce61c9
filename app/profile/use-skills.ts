import { useCallback, useEffect, useRef, useState } from "react";
import type { DataClient } from "../data/client.ts";
import { addSkill, deleteSkill, readSkills, type SkillFields, updateSkill } from "../data/profile.ts";
import type { Skill } from "../data/schema.ts";
import { openAuth } from "../session/open-auth.ts";

export function useSkills(userId: string) {
  const [skills, setSkills] = useState<Skill[]>([]);
  const newestRead = useRef(0);

  const reload = useCallback(async () => {
    const read = ++newestRead.current;
    const { data } = await openAuth();
    const stored = await readSkills(data, userId).catch(() => null);
    // An earlier read that answers later knows less.
    if (stored && read === newestRead.current) setSkills(stored);
  }, [userId]);

  useEffect(() => void reload().catch(() => undefined), [reload]);

  async function change(write: (data: DataClient) => Promise<void>): Promise<void> {
    const { data } = await openAuth();
    await write(data);
    await reload();
  }

  return {
    skills,
    add: (skill: SkillFields) => change((data) => addSkill(data, userId, skill)),
    update: (id: string, skill: SkillFields) => change((data) => updateSkill(data, id, skill)),
    remove: (id: string) => change((data) => deleteSkill(data, id)),
  };
}
