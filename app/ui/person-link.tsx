export function PersonLink({ to, name }: { to: string; name: string }) {
  return (
    <a href={to} className="marked underline decoration-1 underline-offset-3">
      <bdi>{name}</bdi>
    </a>
  );
}
