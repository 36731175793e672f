// @ts-check

/** Something is missing that can't be set up here; the message says what to do. */
export class SetupError extends Error {}
