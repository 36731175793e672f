/**
 * Returns the path of the AppImage that the app runs from, or null if it runs from none. `APPIMAGE` counts only if `program`, the
 * running binary, is in `APPDIR`, where the AppImage is mounted. The variables may also be those of another app that started this
 * one.
 */
export function runningAppImage(program: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | null {
  if (APPIMAGE === undefined || APPDIR === undefined) return null
  return program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}
