/**
 * Returns the path of the AppImage that the app runs from, or null. `program`: the running binary. It has to be in `APPDIR`, where
 * the AppImage is mounted, because the variables may come from another AppImage that started this app.
 */
export function runningAppImage(program: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | null {
  if (APPIMAGE === undefined || APPDIR === undefined) return null
  return program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}
