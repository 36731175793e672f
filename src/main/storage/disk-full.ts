/** Whether a disk takes no more, or takes no more of this person (a quota), as Node tells. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
