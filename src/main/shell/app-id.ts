/** Must equal `appId` in electron-builder.config.mjs. */
export const APP_ID = 'app.siteward.desktop'
