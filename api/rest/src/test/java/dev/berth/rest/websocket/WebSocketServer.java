package dev.berth.rest.websocket;

import jakarta.servlet.http.HttpServlet;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;
import org.springframework.util.FileSystemUtils;

/** A Tomcat with one servlet, which may open WebSockets. */
public final class WebSocketServer implements AutoCloseable {
    private final File folder = Files.createTempDirectory("tomcat-").toFile();
    private final Tomcat tomcat = new Tomcat();

    /** @param port 0 for a free one */
    public WebSocketServer(int port, String path, HttpServlet servlet) throws IOException, LifecycleException {
        tomcat.setBaseDir(folder.getPath());
        tomcat.setPort(port);
        tomcat.getConnector();
        Context context = tomcat.addContext("", folder.getPath());
        context.addServletContainerInitializer(new WsSci(), null);
        Tomcat.addServlet(context, "servlet", servlet);
        context.addServletMappingDecoded(path, "servlet");
        tomcat.start();
    }

    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        FileSystemUtils.deleteRecursively(folder);
    }
}
