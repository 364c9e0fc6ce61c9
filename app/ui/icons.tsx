const icon = (path: string) => () => (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    width="18"
    height="18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={path} />
  </svg>
);

export const OpenIcon = icon("M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5");

export const EditIcon = icon("M4 20h4L19 9l-4-4L4 16v4zM13 7l4 4");

export const DeleteIcon = icon("M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5");

export const LinkIcon = icon(
  "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
);

export const ModerateIcon = icon("M12 3l8 3v6c0 4.5-3.4 7.8-8 9-4.6-1.2-8-4.5-8-9V6zM9 12l2 2 4-4");

export const RawIcon = icon("M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5");

export const MoreIcon = icon(
  "M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
);

export const Mark = () => (
  <svg aria-hidden="true" viewBox="0 0 32 32" width="30" height="30">
    <path d="M5 3h16l7 7v19H5z" fill="var(--ink)" />
    <path d="M21 3l7 7h-7z" fill="var(--marker)" />
    <path d="M10 14l5 4.5-5 4.5" fill="none" stroke="var(--paper)" strokeWidth="2.6" />
    <path d="M16.5 23.5h6" stroke="var(--marker)" strokeWidth="2.6" />
  </svg>
);
