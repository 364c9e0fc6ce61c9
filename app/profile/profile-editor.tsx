import { ProfileForm } from "./profile-form.tsx";
import { SkillsSection } from "./skills-section.tsx";

/** Takes the member's id, returns what he sees on his profile page (specification §2, Profile). */
export default function ProfileEditor({ userId }: { userId: string }) {
  return (
    <>
      <h1 className="font-display text-4xl font-bold tracking-[-0.02em] sm:text-5xl">Profile</h1>
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[3fr_2fr]">
        <ProfileForm userId={userId} />
        <SkillsSection userId={userId} />
      </div>
    </>
  );
}
