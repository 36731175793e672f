/**
 * The AppImage that the app runs from, by its own name, as its binary is in a mount that is another at each start; null: none.
 * The variable may be another AppImage's, which this one was started from. `program`: the running binary.
 */
export function ownImage(program: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | null {
  if (APPIMAGE === undefined || APPDIR === undefined) return null
  return program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}
