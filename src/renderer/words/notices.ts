/** What can be done about a message that goes by itself. */
export const noticeWords = { dismiss: 'Dismiss', stop: 'Stop' }
