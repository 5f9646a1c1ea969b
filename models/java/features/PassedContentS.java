package features;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Correct: the library reads the properties under the lock under which they are changed with the address. */
public class PassedContentS {
    private final Properties properties = new Properties();
    private String address = "jdbc:example";

    public synchronized void set(String newAddress, String user) {
        address = newAddress;
        properties.setProperty("user", user);
    }

    public synchronized Connection open() throws SQLException {
        String to;
        synchronized (this) {
            to = address;
        }
        return DriverManager.getConnection(to, properties);
    }
}
