// @ts-check

/** Something required is missing and can't be set up automatically. The message says what to do. */
export class SetupError extends Error {}
