declare module "@jsonresume/schema" {
  export function validate(
    resume: object,
    callback: (errors: unknown[] | null, isValid: boolean) => void,
  ): void;
}
