export { refusedBySystem } from '../../host/files/storage-error.js';
