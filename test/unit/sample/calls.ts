import { onTestFinished } from 'vitest'
import { startSampleService, type SampleServiceOptions } from '../../../src/main/sample/service.ts'

/** Starts a sample service until the end of the test. `call` sends a request, and follows no redirect. */
export async function startSample(options: SampleServiceOptions = {}) {
  const sample = await startSampleService({ rate: 0, websites: 30, ...options })
  onTestFinished(() => sample.close())

  async function call(
    method: string,
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${sample.address}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: { Accept: 'application/json', Authorization: `Bearer ${sample.apiKey}`, ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  return { ...sample, call }
}
