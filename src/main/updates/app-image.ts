/**
 * Null if the app runs from no AppImage. `program`: the running binary. It has to be in `APPDIR`, where the AppImage is mounted,
 * because another app that started this one may have set the variables.
 */
export function runningAppImage(program: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | null {
  if (APPIMAGE === undefined || APPDIR === undefined) return null
  return program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}
