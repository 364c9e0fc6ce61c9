export function Footer({ title }: { title: string }) {
  return (
    // The minimum height keeps a short page still when the text arrives after the box.
    <footer className="mt-20 box-content min-h-21 border-t border-ink print:hidden">
      <p className="mx-auto max-w-7xl px-5 py-8 text-sm text-muted sm:px-8">
        © 2025 {title}. All rights reserved.
      </p>
    </footer>
  );
}
