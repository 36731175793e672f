import { fieldLabel } from '../shared/display/fields.ts'
import { m } from './index.ts'
import { MAX_LIST_FILE } from '../shared/list-text.ts'
import type { KeychainState } from '../shared/connection.ts'
import type { EditKind } from '../shared/edit.ts'
import type { AppError, ErrorCode } from '../shared/result.ts'
import { MAX_TABLE_FILE, MAX_TABLE_ROWS } from '../shared/table-columns.ts'
import { MAX_WEBSITES } from '../shared/website.ts'
import { formatDuration, joinSentences, formatNumber } from '../shared/display/format.ts'
import { isolateText } from '../shared/display/visible.ts'

/** The text of an error: what went wrong, and what the user can do about it. */
export interface ErrorText {
  problem: string
  advice: string
}

type Messages = readonly [problem: () => string, advice: () => string]

const internal: Messages = [m.error_internal, m.error_internal_todo]

/** The messages of each error code, unless a more specific one below applies. */
const messages: Record<ErrorCode, Messages> = {
  'forbidden-sender': internal,
  flooded: internal,
  'malformed-request': internal,
  'malformed-answer': internal,
  internal,
  'invalid-input': [m.error_invalid_input, m.error_invalid_input_todo],
  'bad-address': [m.error_bad_address, m.error_bad_address_todo],
  unauthenticated: [m.error_unauthenticated, m.error_unauthenticated_todo],
  forbidden: [m.error_forbidden, m.error_forbidden_todo],
  'not-found': [m.error_not_found, m.error_not_found_todo],
  invalid: [m.error_invalid, m.error_invalid_todo],
  'rate-limited': [m.error_rate_limited, m.error_rate_limited_todo],
  refused: [m.error_refused, m.error_refused_todo],
  unreachable: [m.error_unreachable, m.error_unreachable_todo],
  'name-lookup': [m.error_name_lookup, m.error_name_lookup_todo],
  certificate: [m.error_certificate, m.error_certificate_todo],
  'certificate-not-yet-valid': [m.error_certificate_early, m.error_certificate_early_todo],
  tls: [m.error_tls, m.error_tls_todo],
  'client-certificate': [m.error_client_certificate, m.error_client_certificate_todo],
  'proxy-unreachable': [m.error_proxy_unreachable, m.error_proxy_unreachable_todo],
  'proxy-refused': [m.error_proxy_refused, m.error_proxy_refused_todo],
  'proxy-failed': [m.error_proxy_failed, m.error_proxy_failed_todo],
  'proxy-login': [m.error_proxy_login, m.error_proxy_login_todo],
  'proxy-unsupported': [m.error_proxy_unsupported, m.error_proxy_unsupported_todo],
  timeout: [m.error_timeout, m.error_timeout_todo],
  interrupted: [m.error_interrupted, m.error_interrupted_todo],
  garbled: [m.error_garbled, m.error_garbled_todo],
  unavailable: [m.error_unavailable, m.error_unavailable_todo],
  redirected: [m.error_redirected, m.error_redirected_todo],
  'not-the-service': [m.error_not_the_service, m.error_not_the_service_todo],
  'too-large': [m.error_too_large, m.error_too_large_todo],
  'endless-list': [() => m.error_endless_list({ limit: formatNumber(MAX_WEBSITES) }), m.error_endless_list_todo],
  'no-certificate': [m.error_no_certificate, m.error_no_certificate_todo],
  'certificate-too-large': [m.error_certificate_large, m.error_no_certificate_todo],
  'no-private-key': [m.error_no_private_key, m.error_no_private_key_todo],
  'key-mismatch': [m.error_key_mismatch, m.error_key_mismatch_todo],
  'wrong-passphrase': [m.error_wrong_passphrase, m.error_wrong_passphrase_todo],
  'keychain-missing': [m.error_keychain_missing, m.error_keychain_missing_todo],
  'keychain-locked': [m.error_keychain_locked, m.error_keychain_locked_todo],
  'keychain-timeout': [m.error_keychain_timeout, m.error_keychain_timeout_todo],
  'key-missing': [m.error_key_missing, m.error_key_missing_todo],
  'password-missing': [m.error_password_missing, m.error_password_missing_todo],
  'disk-full': [m.error_disk_full, m.error_disk_full_todo],
  storage: [m.error_storage, m.error_storage_todo],
  'not-read': [m.error_not_read, m.error_not_read_todo],
  'file-too-large': [
    m.error_file_too_large,
    () => m.error_file_too_large_todo({ size: formatNumber(MAX_LIST_FILE / 2 ** 20) }),
  ],
  'not-text': [m.error_not_text, m.error_not_text_todo],
  'not-a-table': [m.error_not_a_table, m.error_not_a_table_todo],
  'unmatched-quotes': [m.error_unmatched_quotes, m.error_unmatched_quotes_todo],
  'table-too-large': [
    m.error_table_too_large,
    () =>
      m.error_table_too_large_todo({
        rows: formatNumber(MAX_TABLE_ROWS),
        size: formatNumber(MAX_TABLE_FILE / 2 ** 20),
      }),
  ],
  'not-written': [m.error_not_written, m.error_not_written_todo],
  // Only macOS and Windows can refuse it, and only the window shows it.
  'autostart-refused': [
    m.error_autostart_refused,
    () =>
      navigator.userAgent.includes('Macintosh')
        ? m.error_autostart_refused_mac_todo()
        : m.error_autostart_refused_windows_todo(),
  ],
  'shortcut-taken': [m.error_shortcut_taken, m.error_shortcut_taken_todo],
  'in-use': [m.error_in_use, m.error_in_use_todo],
  'newer-version': [m.error_newer_version, m.error_newer_version_todo],
  'no-connection': [m.error_no_connection, m.error_no_connection_todo],
  'other-account': [m.error_other_account, m.error_other_account_todo],
  'account-unclear': [m.error_account_unclear, m.error_account_unclear_todo],
  'edits-wait': [m.error_edits_wait, m.error_edits_wait_todo],
  'bad-file': [m.error_bad_file, m.error_bad_file_todo],
  'other-connection': [m.error_other_connection, m.error_other_connection_todo],
  'website-gone': [m.error_website_gone, m.error_website_gone_todo],
  'edit-gone': [m.error_edit_gone, m.error_edit_gone_todo],
  'preset-gone': [m.error_preset_gone, m.error_preset_gone_todo],
  'domain-listed': [m.error_domain_listed, m.error_domain_listed_todo],
  'update-unverified': [m.error_update_unverified, m.error_update_unverified_todo],
  'update-failed': [m.error_update_failed, m.error_update_failed_todo],
}

/** The command with which a user of Debian or Ubuntu installs a keychain. */
export const KEYCHAIN_PACKAGES = 'sudo apt-get install gnome-keyring libsecret-1-0'

/** The error of storing a key while the keychain is in this state. */
export const keychainErrors: Partial<Record<KeychainState, ErrorCode>> = {
  missing: 'keychain-missing',
  locked: 'keychain-locked',
  frozen: 'keychain-timeout',
}

const gateway: Messages = [m.error_unavailable_gateway, m.error_unavailable_gateway_todo]

/** More specific messages for an error code with a certain HTTP status. */
const messagesByStatus: Partial<Record<ErrorCode, Record<number, Messages>>> = {
  unavailable: {
    502: gateway,
    503: [m.error_unavailable_busy, m.error_unavailable_busy_todo],
    504: gateway,
  },
  refused: { 413: [m.error_refused_size, m.error_refused_size_todo] },
}

/** The messages of `invalid-input` without `fields`, when no field is marked. */
const unmarkedInputMessages: Messages = [m.error_invalid_input, m.error_invalid_input_check_todo]

const texts = ([problem, advice]: Messages): ErrorText => ({ problem: problem(), advice: advice() })

/** Returns what happened and what to do about it. */
export function errorText(error: AppError): ErrorText {
  if (error.code === 'invalid-input' && !error.fields) return texts(unmarkedInputMessages)
  return texts(messagesByStatus[error.code]?.[error.status ?? 0] ?? messages[error.code])
}

/** Returns what happened and what to do about it as one text. */
export function fullErrorText(error: AppError): string {
  // Outside a form no field is marked, so the text names the fields.
  if (error.code === 'invalid-input' && error.fields)
    return joinSentences([errorText(error).problem, ...inputMessages(error)])
  return m.error_with_advice(errorText(error))
}

/** Returns {@link errorText} for an edit that was rejected although the service accepts other requests with this key. */
export function editErrorText(kind: EditKind, error: AppError): ErrorText {
  const text = errorText(error)
  if (error.code === 'not-found' && kind === 'create') return texts([m.error_invalid, m.error_refused_todo])
  if (error.code === 'forbidden') return { ...text, advice: m.error_refused_todo() }
  // A rejected delete has no values that the user could correct.
  return error.code === 'invalid' && kind === 'delete' ? { ...text, advice: m.parked_advice_restored() } : text
}

/** An `invalid` that is not about a change, because only the list was read. */
const asRefused = (error: AppError): AppError => (error.code === 'invalid' ? { ...error, code: 'refused' } : error)

/**
 * Like {@link fullErrorText}, for an error of refreshing the list or of a check. It never says that a website was not found or a
 * change was rejected, and never advises to refresh.
 */
export const refreshErrorText = (error: AppError): string =>
  error.code === 'not-found' ? refreshProblemText(error) : fullErrorText(asRefused(error))

/** Returns {@link refreshErrorText}, but advises to try again after a rate limit: nothing continues a check automatically. */
export function checkErrorText(code: ErrorCode): string {
  const error = { code, message: '' }
  return code === 'rate-limited' ? m.error_with_advice(keyErrorText(error)) : refreshErrorText(error)
}

/** Returns what happened when the list was refreshed, in one sentence. A `not-found` is about the service, not about a website. */
export const refreshProblemText = (error: AppError): string =>
  error.code === 'not-found' ? m.error_connect_not_found() : errorText(asRefused(error)).problem

/** Messages for errors of testing an address or a key, when there is no list to refresh and nothing to continue. */
const messagesOfKey: Partial<Record<ErrorCode, Messages>> = {
  'not-found': [m.error_connect_not_found, m.error_connect_not_found_todo],
  refused: [m.error_connect_refused, m.error_connect_refused_todo],
  invalid: [m.error_connect_invalid, m.error_connect_invalid_todo],
  interrupted: [m.error_connect_interrupted, m.error_connect_interrupted_todo],
  'no-connection': [m.error_connect_none, m.error_connect_none_todo],
}

/** Messages that name the network settings of the connect form. */
const messagesConnecting: Partial<Record<ErrorCode, Messages>> = {
  certificate: [m.error_certificate, m.error_certificate_connect_todo],
  'client-certificate': [m.error_client_certificate, m.error_client_certificate_connect_todo],
  'proxy-login': [m.error_proxy_login, m.error_proxy_login_connect_todo],
}

/** Returns {@link keyErrorText}, but names the network settings of the connect form instead of those in Settings. */
export function connectErrorText(error: AppError): ErrorText {
  const connecting = messagesConnecting[error.code]
  return connecting ? texts(connecting) : keyErrorText(error)
}

/** Returns {@link errorText}, but with messages of their own for some errors of a key that the user entered. */
export function keyErrorText(error: AppError): ErrorText {
  const { code, retryAfter } = error
  if (code !== 'rate-limited') {
    const ofKey = messagesOfKey[code]
    return ofKey ? texts(ofKey) : errorText(error)
  }
  // The app itself limits how often such a request can be made, so the service is not named.
  const problem = m.error_too_many_requests()
  if (retryAfter === undefined) return { problem, advice: m.error_rate_limited_connect_minute_todo() }
  // Rounded up to whole minutes, because a request that is a few seconds early is rejected again.
  const seconds = retryAfter > 60 ? Math.ceil(retryAfter / 60) * 60 : retryAfter
  return { problem, advice: m.error_rate_limited_connect_todo({ duration: formatDuration(seconds) }) }
}

/** Messages for errors of exporting a settings file, or of opening one. */
const messagesOfSettingsFile: Partial<Record<ErrorCode, Messages>> = {
  'bad-file': [m.error_settings_file, m.error_settings_file_todo],
  'not-text': [m.error_settings_file, m.error_settings_file_todo],
  'newer-version': [m.error_settings_file_newer, m.error_settings_file_newer_todo],
  'file-too-large': [m.error_settings_file_large, m.error_settings_file_todo],
}

/** Returns {@link errorText}, but with messages of their own for some errors of exporting or opening a settings file. */
export function settingsFileErrorText(error: AppError): ErrorText {
  const messages = messagesOfSettingsFile[error.code]
  return messages ? texts(messages) : errorText(error)
}

/** Returns {@link errorText} for an error of importing pending changes, but says if the file comes from a newer version. */
export const importErrorText = (error: AppError): ErrorText =>
  error.code === 'newer-version'
    ? texts([m.error_settings_file_newer, m.error_settings_file_newer_todo])
    : errorText(error)

/** True if the message tells the user what to correct. Otherwise it is a technical reason. */
const isAboutInput = ({ code }: AppError): boolean => code === 'invalid'

/** Returns what is wrong with the user's input: the messages about fields, and why the service rejected the input, in its own words. */
export function inputMessages(error: AppError): string[] {
  const onFields = Object.entries(error.fields ?? {}).flatMap(([field, texts]) =>
    texts.map((text) => m.bulk_field({ field: isolateText(fieldLabel(field)), value: isolateText(text) })),
  )
  const texts = error.message === '' || !isAboutInput(error) ? onFields : [isolateText(error.message), ...onFields]
  return error.code === 'invalid-input' ? texts : texts.map(serviceSays)
}

/** Returns the technical reason, which is shown under "Details": the service's message that is not about the input, and the HTTP status. */
export function technicalReason(error: AppError): string[] {
  const message = error.message === '' || isAboutInput(error) ? undefined : serviceSays(isolateText(error.message))
  return [message, httpStatusText(error)].filter((text) => text !== undefined)
}

/** Returns the HTTP status in words if the service did not say what to correct. */
function httpStatusText(error: AppError): string | undefined {
  if (error.status === undefined || inputMessages(error).length > 0) return undefined
  const isSuccess = error.status >= 200 && error.status < 300
  // An error with a success status isn't from the service, unless the response could not be read to its end.
  const isWhole = !['interrupted', 'garbled', 'too-large'].includes(error.code)
  return isSuccess && isWhole
    ? m.error_http_status_other({ status: error.status })
    : m.error_http_status({ status: error.status })
}

/** True for an error of the system's keychain. */
export const isKeychainError = (error: AppError): boolean => error.code.startsWith('keychain-')

/** Returns the messages about fields if there are any, otherwise what happened. */
export const fieldMessagesOrProblem = (error: AppError): string[] =>
  error.fields ? Object.values(error.fields).flat() : [errorText(error).problem]

/** Returns a text that quotes a message of the service. */
export const serviceSays = (message: string): string => m.error_service_says({ message })
