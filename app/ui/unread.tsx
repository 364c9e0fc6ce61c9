/** Marks a section whose content has not been read yet (`.shown-in-order` in app.css). */
export const Unread = () => <span hidden data-unread />;
