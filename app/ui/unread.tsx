/** Marks a section as not read yet (`.shown-in-order` in app.css). */
export const Unread = () => <span hidden data-unread />;
