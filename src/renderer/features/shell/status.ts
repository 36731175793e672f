import type { Tone } from '../../../shared/display/states.ts'
import { keychainHeadings } from '../../../messages/headings.ts'
import { m } from '../../../messages/index.ts'
import { rejectsAll } from '../../../shared/connection.ts'
import type { AppError } from '../../../shared/result.ts'
import type { AppState } from '../../../shared/state.ts'
import { formatTime } from '../../../shared/display/format.ts'
import { deliveryProgress } from '../shared/edit-text.ts'
import { networkSettingErrors } from '../shared/network-text.ts'
import { fullErrorText, refreshProblemText } from '../../../messages/errors.ts'

interface Detail {
  text: string
  /** A time in the text, in milliseconds since 1970. */
  at?: number
  /** True if the text changes too often for a screen reader to announce it. */
  quiet?: true
}

/** The status of the active account in the sidebar, with its details. */
export interface Status {
  tone: Tone
  head: string
  /** A time in the heading, in milliseconds since 1970. */
  headAt?: number
  details: Detail[]
  /** The part of the app where the user can fix the problem. */
  fix?: 'key' | 'pending' | 'network'
}

/** The part of a status without its heading. */
type StatusBody = Omit<Status, 'tone' | 'head'>

/** Returns the most urgent state as the heading, and all others as details. */
export function statusOf(state: AppState): Status {
  const { connection, keychain, parked, paused, reach, refresh, waiting } = state
  // Data of a newer version is read-only and never sent, so no other state matters.
  if (state.readOnly && waiting > 0)
    return { tone: 'wait', head: m.status_newer_version_pending({ count: waiting }), details: [] }
  switch (connection?.key) {
    case 'refused':
      return { tone: 'bad', head: m.status_key_rejected(), ...missingKeyDetails(state) }
    case 'missing':
      return { tone: 'bad', head: m.status_key_missing(), ...missingKeyDetails(state) }
    case 'loading': {
      const details = [
        { text: m.status_keychain_waiting_detail() },
        ...pendingDetails(state, m.status_pending_until_keychain),
      ]
      return { tone: 'wait', head: m.status_keychain_waiting(), ...withOtherStates(state, details) }
    }
    case 'locked': {
      // The keychain is readable but doesn't contain the key, so the user has to enter it again.
      if (keychain === 'ready') return { tone: 'wait', head: keychainHeadings[keychain](), ...missingKeyDetails(state) }
      const details = pendingDetails(state, m.status_pending_until_keychain)
      return { tone: 'wait', head: keychainHeadings[keychain](), ...withOtherStates(state, details) }
    }
  }
  if (paused) {
    const details = pendingDetails(state, m.status_pending_until_resumed)
    return { tone: 'wait', head: m.status_paused(), ...withOtherStates(state, details) }
  }
  // The service responds but rejects everything, so the heading doesn't say "Offline".
  if (reach.state === 'offline' && rejectsAll(reach)) {
    const details = [{ text: fullErrorText(reach.error) }, ...pendingDetails(state, m.status_pending)]
    return { tone: 'wait', head: m.status_forbidden(), ...withParked(state, details) }
  }
  if (reach.state === 'offline') {
    const details = [...whyOffline(reach.error), ...pendingDetails(state, m.status_pending_until_online)]
    const head = m.status_offline_since({ time: formatTime(reach.since) })
    return { tone: 'wait', head, headAt: reach.since, ...withParked(state, details), ...fixOf(reach.error) }
  }
  if (parked > 0) {
    const details = state.unconfirmed ? [{ text: m.status_also_unconfirmed() }] : []
    return { tone: 'bad', head: m.status_need_attention({ count: parked }), details, fix: 'pending' }
  }
  // The list can't be read, although the service responds to other requests.
  if (reach.state === 'online' && refresh.error !== null && !refresh.running) {
    const sending = sendingDetails(state).map((detail) => ({ ...detail, quiet: true as const }))
    const details = [{ text: refreshProblemText(refresh.error) }, ...sending]
    return { tone: 'wait', head: m.status_refresh_failed(), details, ...fixOf(refresh.error) }
  }
  if (connection?.sample) return { tone: 'calm', head: m.sample_data(), details: sendingDetails(state) }
  if (reach.state !== 'online') return { tone: 'calm', head: m.status_connecting(), details: sendingDetails(state) }
  const done = state.unconfirmed ? m.status_unconfirmed() : m.status_done()
  return { tone: 'calm', head: sendingDetails(state)[0]?.text ?? done, details: [] }
}

/** Returns "network" as the place to fix the error, if the network settings can fix it. */
const fixOf = ({ code }: AppError): Pick<Status, 'fix'> =>
  networkSettingErrors.includes(code) ? { fix: 'network' } : {}

const missingKeyDetails = (state: AppState): StatusBody => ({
  ...withOtherStates(state, pendingDetails(state, m.status_pending_until_key)),
  fix: 'key',
})

/** Adds the less urgent states: offline, a service that rejects all requests, and edits that need attention. */
function withOtherStates(state: AppState, details: Detail[]): StatusBody {
  const { reach } = state
  if (reach.state !== 'offline') return withParked(state, details)
  if (rejectsAll(reach)) return withParked(state, [...details, { text: m.status_forbidden() }])
  const offline = { text: m.status_offline_since({ time: formatTime(reach.since) }), at: reach.since }
  return withParked(state, [...details, offline])
}

/** Adds the number of edits that need attention and a button that shows them, if there are any. */
const withParked = ({ parked }: AppState, details: Detail[]): StatusBody =>
  parked > 0
    ? { details: [...details, { text: m.status_need_attention({ count: parked }) }], fix: 'pending' }
    : { details }

/** Returns the number of pending edits in a message that says what they wait for. Empty if there are none. */
const pendingDetails = ({ waiting }: AppState, message: (inputs: { count: number }) => string): Detail[] =>
  waiting > 0 ? [{ text: message({ count: waiting }) }] : []

/** Returns the progress of sending, or the number of pending edits. Empty if there are none. */
function sendingDetails(state: AppState): Detail[] {
  const progress = deliveryProgress(state)
  return progress === undefined ? pendingDetails(state, m.status_pending) : [{ text: progress }]
}

/** Returns why the service can't be reached. Empty if the reason adds nothing to "Offline". */
function whyOffline(error: AppError): Detail[] {
  // Without a network, these errors are normal and add nothing to "Offline".
  if (error.code === 'unreachable' || error.code === 'name-lookup') return []
  // The problem is the clock of this computer, to which no button of the app can lead, so the whole text is shown.
  if (error.code === 'certificate-not-yet-valid') return [{ text: fullErrorText(error) }]
  // In most cases this response comes from the sign-in page of a public network.
  const isSignIn = error.code === 'not-the-service' || error.code === 'redirected'
  return [refreshProblemText(error), ...(isSignIn ? [m.status_sign_in()] : [])].map((text) => ({ text }))
}
