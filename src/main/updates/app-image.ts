/**
 * Returns the path of the AppImage that the app runs from, or null if it runs from none. The variable may name the
 * AppImage of another app that started this one. `program` is the running binary, whose path changes with each start.
 */
export function runningAppImage(program: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | null {
  if (APPIMAGE === undefined || APPDIR === undefined) return null
  return program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}
