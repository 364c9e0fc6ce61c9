import { useCallback, useEffect, useRef, useState } from "react";
import { addSkill, deleteSkill, readSkills, type SkillFields, updateSkill } from "../data/profile.ts";
import type { Skill } from "../data/schema.ts";
import { openAuth } from "../session/open-auth.ts";

/** The member's skills as they are stored. Each change says whether it was done; after a failure all stays as it is. */
interface Skills {
  skills: Skill[];
  add(skill: SkillFields): Promise<boolean>;
  update(id: string, skill: SkillFields): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}

export function useSkills(userId: string): Skills {
  const [skills, setSkills] = useState<Skill[]>([]);
  const newestRead = useRef(0);

  const reload = useCallback(async () => {
    const read = ++newestRead.current;
    const { data } = await openAuth();
    const stored = await readSkills(data, userId);
    // An earlier read that answers later knows less.
    if (read === newestRead.current) setSkills(stored);
  }, [userId]);

  const refresh = useCallback(() => void reload().catch(() => undefined), [reload]);
  useEffect(refresh, [refresh]);

  return {
    skills,
    async add(skill) {
      const isDone = await addSkill((await openAuth()).data, userId, skill);
      if (isDone) refresh();
      return isDone;
    },
    async update(id, skill) {
      const isDone = await updateSkill((await openAuth()).data, id, skill);
      if (!isDone) return false;
      // The row shows at once what it is now; where it belongs in the order the next read tells.
      setSkills((known) => known.map((one) => (one.id === id ? { ...one, ...skill } : one)));
      refresh();
      return true;
    },
    async remove(id) {
      const isDone = await deleteSkill((await openAuth()).data, id);
      if (!isDone) return false;
      setSkills((known) => known.filter((one) => one.id !== id));
      refresh();
      return true;
    },
  };
}
