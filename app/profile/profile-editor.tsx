import { ProfileForm } from "./profile-form.tsx";
import { SkillsSection } from "./skills-section.tsx";

export default function ProfileEditor({ userId }: { userId: string }) {
  return (
    <>
      <ProfileForm userId={userId} />
      <SkillsSection userId={userId} />
    </>
  );
}
