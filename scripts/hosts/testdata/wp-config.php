<?php
// The settings of the site that the test runs.
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:' . getenv( 'DB_SOCKET' ) );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
define( 'WP_HOME', getenv( 'SITE_URL' ) );
define( 'WP_SITEURL', WP_HOME );
foreach ( [ 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ] as $name ) {
	define( "{$name}_KEY", "key of the test's $name" );
	define( "{$name}_SALT", "salt of the test's $name" );
}
// It calls nobody but its Docket.
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1' );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );

define( 'WP_DISABLE_FATAL_ERROR_HANDLER', true ); // a fault stands in the server's log

foreach ( [ 'DOCKET_URL', 'DOCKET_SECRET', 'DOCKET_TOKEN' ] as $name ) {
	if ( getenv( $name ) ) {
		define( $name, getenv( $name ) );
	}
}

$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
