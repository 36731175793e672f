/** What systems know the app by; as the installers say it (electron-builder.config.mjs, `appId`). */
export const APP_ID = 'app.siteward.desktop'
