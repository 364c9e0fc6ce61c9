import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

// From here on the document belongs to React, and the starter leaves it as it is.
document.documentElement.dataset.begun = "true";

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
