/** What the screens are called, and what lies around them. */
export const screenNames = {
  websites: 'Websites',
  pending: 'Pending',
  presets: 'Presets',
  account: 'Account',
  settings: 'Settings',
}

export const shellWords = {
  screens: 'Screens',
  commands: 'Commands',
  banners: 'What happened',
  dataNeedsYou: 'This connection’s data needs you.',
  insecure: 'Not encrypted (http)',
  toasts: 'Notices',
}
