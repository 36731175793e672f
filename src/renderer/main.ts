/// <reference types="vite/client" />
import { mount } from 'svelte'
import App from './app/App.svelte'
import type { SitewardBridge } from '../preload/bridge.ts'
import { refuseDrops } from './ui/file-drop.ts'
import './tokens.css'
import './base.css'
import './ui/input.css'

declare global {
  interface Window {
    readonly siteward?: SitewardBridge
  }
}

const target = document.getElementById('app')
if (!target) throw new Error('index.html has no #app')
if (!window.siteward) throw new Error('The preload script has not run.')
refuseDrops(window)
// The hash of the page's URL is the name of the current screen, so that a reload shows the same screen.
mount(App, {
  target,
  props: {
    bridge: window.siteward,
    place: location.hash.slice(1),
    onmove: (screen: string) => history.replaceState(null, '', `#${screen}`),
  },
})
